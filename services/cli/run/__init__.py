"""The main job: a tournament of bots on the whole platform, watched, then judged."""
