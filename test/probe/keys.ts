/** Secrets in the probe's tests: the API key of the targets and the secret of the webhooks. */
export const KEY = 'canary-key-5f3a9c';
export const SECRET = 'webhook-secret';
