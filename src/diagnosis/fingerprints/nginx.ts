import type { Fingerprint } from './fingerprint.ts';

export const nginx: readonly Fingerprint[] = [
  {
    product: 'nginx',
    writer: "nginx's error pages",
    source: 'nginx/nginx, src/http/ngx_http_special_response.c',
    advice: 'Set error_page to a location that returns an Error body as application/json, and proxy_intercept_errors to off',
    matches: ({ text }) => /<hr><center>(?:nginx|openresty)(?:\/[\w.]+)?<\/center>/.test(text),
  },
];
