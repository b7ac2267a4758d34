import type { Fingerprint } from './fingerprint.ts';
import { reasonPhrase, textMember } from './traces.ts';

/** KeyAuth of v4 and of v5, and echo-jwt. */
const PHRASES = [
  ...['missing key in request header', 'invalid key in the request header', 'missing key'],
  ...['missing or malformed jwt', 'invalid or expired jwt'],
];

export const echo: readonly Fingerprint[] = [
  {
    product: 'Echo',
    writer: "Echo's default HTTP error handler",
    source: 'labstack/echo, echo.go (DefaultHTTPErrorHandler), json.go and middleware/key_auth.go; labstack/echo-jwt, jwt.go',
    advice: 'Set e.HTTPErrorHandler to a function that writes Error bodies',
    // Its encoder ends a body with a line feed, unlike the gateways that write the same member.
    matches: (traces) =>
      traces.members === 'message' &&
      traces.text.endsWith('\n') &&
      [...PHRASES, reasonPhrase(traces)].includes(textMember(traces, 'message')),
  },
];
