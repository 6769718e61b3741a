"""What the face promises, as pytest classes: give them `face`, `url` and `tenant` fixtures and they run on yours.

Every test is written once, with `await`, and runs on the asynchronous and on the blocking face.
"""
