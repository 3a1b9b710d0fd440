def findings(frames, stated): return []
def parts(frames, stated): return []
