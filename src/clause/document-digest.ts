/** The interface document that all clauses come from, as the digest of its bytes: results can be compared if it is the same. */
export const DOCUMENT_DIGEST = 'sha256:b06ea037517a5e0b16c211d4721af97f4506597e216bc75e4ebe617161603587';
