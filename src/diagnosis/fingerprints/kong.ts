import type { Fingerprint } from './fingerprint.ts';
import { textMember } from './traces.ts';

const PHRASES = ['no Route matched with those values', 'No API key found in request', 'Invalid authentication credentials'];

export const kong: readonly Fingerprint[] = [
  {
    product: 'Kong',
    writer: "Kong's own responses",
    source: 'Kong/kong, kong/runloop/handler.lua and kong/plugins/key-auth/handler.lua',
    advice: 'Rewrite them with the exit-transformer plugin, or set error_template_json in kong.conf',
    matches: (traces) =>
      /^message(?:,request_id)?$/.test(traces.members) &&
      (PHRASES.includes(textMember(traces, 'message')) || traces.header('server')?.startsWith('kong/') === true),
  },
];
