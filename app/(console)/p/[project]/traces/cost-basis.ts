/**
 * Where a cost comes from, in words: `sent`, `list price of openai/gpt-4o`, `own price of gpt-4o`,
 * `no price for acme`. @param basis as stored with a turn or a trace; null if no usage was reported
 */
export function costBasisText(basis: readonly string[] | null): string {
  return (basis ?? []).map(originText).join(', ');
}

function originText(origin: string): string {
  const [word = '', ...rest] = origin.split(' ');
  const name = rest.join(' ');
  switch (word) {
    case 'list':
      return `list price of ${name}`;
    case 'own':
      return `own price of ${name}`;
    case 'none':
      return name === '' ? 'no model named' : `no price for ${name}`;
    default:
      return origin;
  }
}

/** Whether a part of the work has no price: its cost is then a lower bound. */
export const lacksPrice = (basis: readonly string[] | null): boolean =>
  (basis ?? []).some((origin) => origin === 'none' || origin.startsWith('none '));
