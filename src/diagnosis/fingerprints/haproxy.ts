import type { Fingerprint } from './fingerprint.ts';

const PHRASES = [
  'No server is available to handle this request.',
  'Your browser sent an invalid request.',
  'Request forbidden by administrative rules.',
  "The server didn't respond in time.",
  'The server returned an invalid or incomplete response.',
  'You need a valid user and password to access this content.',
];

export const haproxy: readonly Fingerprint[] = [
  {
    product: 'HAProxy',
    writer: "HAProxy's error pages",
    source: 'haproxy/haproxy, src/http.c (http_err_msgs) and doc/configuration.txt (http-error, errorfile)',
    advice:
      'Set http-error for each status, with content-type application/json and an Error body (errorfile takes whole responses, with their headers)',
    matches: ({ text }) => /^<html><body><h1>\d{3} /.test(text) && PHRASES.some((phrase) => text.includes(phrase)),
  },
];
