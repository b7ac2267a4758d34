import { createHash } from 'node:crypto';

/** The whole style of the status page: inline, and allowed only by its hash. */
export const STYLE = `:root{color-scheme:light dark;--bg:#f6f8fa;--card:#fff;--line:#d0d7de;--text:#1f2328;--soft:#57606a;--up:#1a7f37;--degraded:#9a6700;--down:#cf222e;--unknown:#6e7781;--none:#d8dee4;--maintenance:#0969da}
@media (prefers-color-scheme:dark){:root{--bg:#0d1117;--card:#161b22;--line:#30363d;--text:#e6edf3;--soft:#9198a1;--up:#3fb950;--degraded:#d29922;--down:#ff7b72;--unknown:#8b949e;--none:#30363d;--maintenance:#58a6ff}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main,header,footer{max-width:62rem;margin:0 auto;padding:0 1rem}header{padding-top:1.75rem}footer{padding-bottom:2rem;color:var(--soft);font-size:.85rem}
h1{font-size:1.45rem;margin:0}h2{font-size:1.05rem;margin:0;display:flex;gap:.6rem;align-items:center;flex-wrap:wrap}h3{font-size:.85rem;margin:0 0 .35rem;color:var(--soft);font-weight:600}
.banner{border-radius:.6rem;border:1px solid var(--line);border-left-width:.4rem;background:var(--card);padding:.8rem 1rem;margin:1rem 0}
.banner.up{border-left-color:var(--up)}.banner.degraded{border-left-color:var(--degraded)}.banner.down{border-left-color:var(--down)}.banner.unknown{border-left-color:var(--unknown)}.banner.maintenance{border-left-color:var(--maintenance)}
.banner p{margin:0}.banner strong{font-size:1.05rem}.card{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem;margin:1rem 0}
.pill{font-size:.75rem;font-weight:600;border-radius:1rem;padding:.1rem .6rem;border:1px solid currentColor}.pill.up{color:var(--up)}.pill.degraded{color:var(--degraded)}.pill.down{color:var(--down)}.pill.unknown{color:var(--unknown)}.pill.maintenance{color:var(--maintenance)}
.url{color:var(--soft);font-size:.85rem;font-weight:400;overflow-wrap:anywhere}.grid{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(17rem,1fr));margin-top:.9rem}
svg{display:block;width:100%}svg.bars,svg.plot{height:48px}svg.plot{border-bottom:1px solid var(--line)}.b-up{fill:var(--up)}.b-degraded{fill:var(--degraded)}.b-down{fill:var(--down)}.b-unknown{fill:var(--unknown)}.b-none{fill:var(--none)}
.p-max{fill:var(--none)}.p-mean{fill:none;stroke:var(--up);stroke-width:2;vector-effect:non-scaling-stroke}.p-limit{stroke:var(--degraded);stroke-dasharray:4 4;vector-effect:non-scaling-stroke}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.6rem;margin:.9rem 0 0}dt{color:var(--soft);font-size:.78rem}dd{margin:0;font-weight:600;font-variant-numeric:tabular-nums}
ul.failures{list-style:none;margin:.9rem 0 0;padding:0}ul.failures li{border-left:.25rem solid var(--down);padding:.2rem .7rem;margin:.4rem 0}ul.failures li.advised{border-left-color:var(--degraded)}code{font:.85em ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}
.own{border-left:.25rem solid var(--unknown);padding:.2rem .7rem;margin:.9rem 0 0}.text{overflow-wrap:anywhere}time{white-space:nowrap}.scale{display:flex;justify-content:space-between;color:var(--soft);font-size:.75rem}ul.alerts{list-style:none;margin:.5rem 0 0;padding:0;font-size:.88rem}ul.alerts li{border-top:1px solid var(--line);padding:.4rem 0}ul.alerts time{color:var(--soft);margin-right:.4rem}
ul.rows{list-style:none;margin:0;padding:0}ul.rows>li{border-top:1px solid var(--line);padding:.6rem 0}ul.rows>li:first-child{border-top:0}.line{display:flex;gap:.5rem 1rem;justify-content:space-between;align-items:center;flex-wrap:wrap}svg.thin{width:12rem;height:1.2rem}.soft{color:var(--soft);font-size:.85rem;margin:.2rem 0 0}nav a{margin-left:.8rem}
a{color:inherit}details{margin:.4rem 0 0}summary{cursor:pointer;color:var(--soft);font-size:.85rem}pre{margin:.4rem 0 0;padding:.6rem .8rem;border:1px solid var(--line);border-radius:.4rem;background:var(--bg);font:.8rem/1.45 ui-monospace,SFMono-Regular,Menlo,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
ul.incidents{list-style:none;margin:.5rem 0 0;padding:0}ul.incidents>li{border-top:1px solid var(--line);padding:.7rem 0}ul.incidents>li:first-child{border-top:0}ul.incidents h3{display:flex;gap:.5rem;align-items:center;flex-wrap:wrap;color:var(--text)}ul.incidents p{margin:.2rem 0}ol.story{list-style:none;margin:.4rem 0 0;padding:0 0 0 .8rem;border-left:2px solid var(--line);font-size:.88rem}ol.story time{color:var(--soft);margin-left:.3rem}`;

/** Nothing is loaded, nothing runs, and nothing may frame the page. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
