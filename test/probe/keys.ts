/** What the probe's tests hide: the API key of their targets and the secret of their webhooks. */
export const KEY = 'canary-key-5f3a9c';
export const SECRET = 'webhook-secret';
