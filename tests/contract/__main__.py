"""`python -m tests.contract`: write the golden lines that are missing; change none that is there.

Run it after a message is added, or got a field; a changed line in a review is a broken contract.
"""

from tests.contract.golden import add_missing, messages

if __name__ == "__main__":
    print(f"{add_missing(messages())} lines added")
