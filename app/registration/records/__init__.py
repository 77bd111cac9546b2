"""The frozen records of a registry, its references, and their JSON documents."""
