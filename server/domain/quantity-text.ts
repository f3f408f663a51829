/** `1 turn`, `2,000 turns`. */
export const quantityText = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
