"""The Go player behind the Go Text Protocol (GTP), version 2: what GoGui, Sabaki and KGS drive."""
