import type { Fingerprint } from './fingerprint.ts';
import { textMember } from './traces.ts';

const PHRASES = ['no Route matched with those values', 'No API key found in request', 'Invalid authentication credentials'];

export const kong: readonly Fingerprint[] = [
  {
    product: 'Kong',
    writer: "Kong's own responses",
    source:
      'Kong/kong, kong/runloop/handler.lua, kong/plugins/key-auth/handler.lua and kong/tools/http.lua; developer.konghq.com, Exit Transformer',
    advice:
      'Rewrite them with the exit-transformer plugin of Kong Enterprise (for a missing route configured globally, with handle_unknown): error_template_json of kong.conf fills in the message, but no status',
    matches: (traces) =>
      /^message(?:,request_id)?$/.test(traces.members) &&
      (PHRASES.includes(textMember(traces, 'message')) || traces.header('server')?.startsWith('kong/') === true),
  },
];
