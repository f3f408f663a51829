/** Formats and parses durations. */

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** `1 d 3 h 5 min`, exactly, in whole seconds. */
export function exactDuration(seconds: number): string {
  let remaining = Math.max(0, Math.round(seconds));
  const parts = units.flatMap(([unit, size]) => {
    const many = Math.floor(remaining / size);
    remaining -= many * size;
    return many === 0 ? [] : [`${many} ${unit}`];
  });
  return parts.length === 0 ? '0 s' : parts.join(' ');
}

/** For reading at a glance: the two largest units. */
export function roughDuration(seconds: number): string {
  return exactDuration(seconds).split(' ').slice(0, 4).join(' ');
}

const word = /^(\d{1,9}(?:[.,]\d{1,6})?)\s*(d|h|m|min|s)$/i;

/** Seconds of `90 min`, `1 d 12h`, `1.5 h`; null when it is not a duration. */
export function readDuration(text: string): number | null {
  const words =
    text
      .trim()
      .toLowerCase()
      .match(/[\d.,]+\s*[a-z]+/g) ?? [];
  if (
    words.length === 0 ||
    words.join('').replace(/\s/g, '') !== text.toLowerCase().replace(/\s/g, '')
  )
    return null;
  let seconds = 0;
  for (const each of words) {
    const [, amount, name] = word.exec(each) ?? [];
    const size = units.find(([unit]) => unit === (name === 'm' ? 'min' : name))?.[1];
    if (amount === undefined || size === undefined) return null;
    seconds += Number(amount.replace(',', '.')) * size;
  }
  return seconds;
}
