"""What giftsim says about the service: claims of its documents, decisions, and the tests that show the claims."""
