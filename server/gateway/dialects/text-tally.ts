/**
 * Text assembled from pieces, with its length in bytes of UTF-8 (QV-17). A surrogate pair split
 * across pieces counts as one character.
 */
export class TextTally {
  #pieces: string[] = [];
  #endsOpen = false;
  bytes = 0;

  add(piece: string): void {
    if (piece === '') return;
    this.#pieces.push(piece);
    this.bytes += Buffer.byteLength(piece);
    // A lone surrogate counts 3 bytes as U+FFFD; a pair makes one character of 4 bytes.
    if (this.#endsOpen && isLow(piece.charCodeAt(0))) this.bytes -= 2;
    this.#endsOpen = isHigh(piece.charCodeAt(piece.length - 1));
  }

  text(): string {
    if (this.#pieces.length > 1) this.#pieces = [this.#pieces.join('')];
    return this.#pieces[0] ?? '';
  }
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
