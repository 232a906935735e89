def read_only(*a): return True
