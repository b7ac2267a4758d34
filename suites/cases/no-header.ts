import type { Credential } from '../../src/session/client/api.ts';

export const NO_HEADER: Credential = { note: 'no Authorization header', standing: 'refused', headers: [] };
