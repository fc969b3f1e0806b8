"""The catalogue as teams see it: collections, single items and where they are printed; one for all, in both modes."""
