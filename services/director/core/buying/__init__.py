"""What is bought after the start: late entries and re-entries, rebuys and add-ons (BH-REBUY).

`periods` tells what is on sale, `rebuys` decides requests and offers, `granting` turns a held
price into chips, `closing` ends it all and gives the places; `waiting_list` is from before.
"""
