print("rules-check")
