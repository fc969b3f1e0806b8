"""Artwork, previews, proofs, templates, and the branding that recipients see."""
