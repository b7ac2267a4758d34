import type { Fingerprint } from './fingerprint.ts';

export const flask: readonly Fingerprint[] = [
  {
    product: 'Flask',
    writer: "Flask's error pages (Werkzeug)",
    source: 'pallets/werkzeug, src/werkzeug/exceptions.py',
    advice: 'Register @app.errorhandler(HTTPException) and write Error bodies there',
    matches: ({ text }) => /^<!doctype html>\s*<html lang=en>\s*<title>\d{3} /.test(text),
  },
];
