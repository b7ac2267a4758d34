import type { Fingerprint } from './fingerprint.ts';

export const varnish: readonly Fingerprint[] = [
  {
    product: 'Varnish',
    writer: "Varnish's error pages",
    source: 'varnishcache/varnish-cache, bin/varnishd/builtin.vcl (vcl_synth, vcl_backend_error)',
    advice: 'Write Error bodies in vcl_synth and vcl_backend_error',
    matches: ({ text }) => text.includes('<h3>Guru Meditation:</h3>') && text.includes('<p>Varnish cache server</p>'),
  },
];
