print("streamrun")
