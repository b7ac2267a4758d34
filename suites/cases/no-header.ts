import { NO_CREDENTIAL } from '../../src/session/client/create-api.ts';

export const NO_HEADER = NO_CREDENTIAL;
