const zero = 0x30;
const nine = 0x39;
const dot = 0x2e;

/** All numbers in the bytes, found in one pass. */
function scanNumbers(bytes: Buffer): Float64Array {
  let found = new Float64Array(1024);
  let count = 0;
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at] ?? 0;
    if (byte < zero || byte > nine) continue;
    let value = 0;
    let scale = 0;
    for (; at < bytes.length; at++) {
      byte = bytes[at] ?? 0;
      if (byte === dot && scale === 0) scale = 1;
      else if (byte >= zero && byte <= nine) {
        value = value * 10 + (byte - zero);
        scale *= 10;
      } else break;
    }
    if (count === found.length) {
      const larger = new Float64Array(count * 2);
      larger.set(found);
      found = larger;
    }
    found[count++] = scale > 1 ? value / scale : value;
  }
  return found.subarray(0, count).sort();
}

const figure = /\d+(?:\.\d+)?/g;

/**
 * The minimum work to find the figures of an answer in its sources: scan, sort, look up. Returns
 * the number of figures without a source.
 */
export function figuresFloor(sources: Buffer, answer: string): number {
  const known = scanNumbers(sources);
  let missing = 0;
  for (const [text] of answer.matchAll(figure)) {
    const wanted = Number(text);
    let [low, high] = [0, known.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((known[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    if (known[low] !== wanted) missing++;
  }
  return missing;
}
