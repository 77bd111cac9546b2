"""What those who run the software need: schema, migrations, hosts, the shared secret, a walk
over every stored text.
"""
