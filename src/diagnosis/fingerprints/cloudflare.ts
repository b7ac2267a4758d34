import type { Fingerprint } from './fingerprint.ts';
import { isHtml } from './traces.ts';

export const cloudflare: readonly Fingerprint[] = [
  {
    product: 'Cloudflare',
    writer: "Cloudflare's error pages",
    source: 'developers.cloudflare.com, Cloudflare 1xxx errors and Custom error rules (parameters)',
    advice: 'Exempt this host from challenges and firewall rules, or write custom error rules that return Error bodies as application/json',
    matches: (traces) =>
      traces.header('server') === 'cloudflare' &&
      (/^error code: \d+$/.test(traces.text.trim()) ||
        (isHtml(traces) && /cf-error-details|cf-wrapper|Just a moment\.\.\.|<center>cloudflare<\/center>/.test(traces.text))),
  },
];
