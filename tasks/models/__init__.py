"""The one layer of models: chat, embeddings and rerankers behind one profile, one client and one ledger."""
