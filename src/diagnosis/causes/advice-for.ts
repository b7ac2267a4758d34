/** The advice for the products that were recognized in the responses, or else the general one. */
export function adviceFor(products: ReadonlySet<string>, table: Readonly<Record<string, string>>, otherwise: string): string {
  const known = [...products].flatMap((product) => table[product] ?? []);
  return known.length === 0 ? otherwise : known.join('. ');
}
