import type { Fingerprint } from './fingerprint.ts';

export const nginx: readonly Fingerprint[] = [
  {
    product: 'nginx',
    writer: "nginx's error pages",
    source: 'nginx/nginx, src/http/ngx_http_special_response.c; nginx.org, error_page and proxy_intercept_errors',
    advice:
      "Set error_page to a location that returns an Error body as application/json, and leave proxy_intercept_errors off, which would replace the service's own",
    // A version may stand behind the name, and the build behind that: nginx/1.24.0 (Ubuntu).
    matches: ({ text }) => /<hr><center>(?:nginx|openresty)(?:\/[^<]+)?<\/center>/.test(text),
  },
];
