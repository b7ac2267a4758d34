import type { Fingerprint } from './fingerprint.ts';
import { reasonPhrase, textMember } from './traces.ts';

const PHRASES = ['missing key in request header', 'invalid key', 'missing or malformed jwt', 'invalid or expired jwt'];

export const echo: readonly Fingerprint[] = [
  {
    product: 'Echo',
    writer: "Echo's default HTTP error handler",
    source: 'labstack/echo, echo.go (DefaultHTTPErrorHandler) and middleware/key_auth.go',
    advice: 'Set e.HTTPErrorHandler to a function that writes Error bodies',
    // Its encoder ends a body with a line feed, unlike the gateways that write the same member.
    matches: (traces) =>
      traces.members === 'message' &&
      traces.text.endsWith('\n') &&
      [...PHRASES, reasonPhrase(traces)].includes(textMember(traces, 'message')),
  },
];
