"""One engine, two registries: what holds of URN namespaces holds of the shelf marks too."""
