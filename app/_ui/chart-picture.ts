/**
 * A picture of a chart: composes the content of its frame as one SVG, with every colour, size and
 * font resolved, drawn at twice its size. Drawings are copied; the text around them is drawn at the
 * same positions.
 */
export interface PictureWords {
  readonly title: string;
  /** Lines under the title: description, period and n. */
  readonly lines: readonly string[];
  /** Below the drawing: its origin. */
  readonly source: string;
}

const [scale, pad, lineHeight] = [2, 20, 18];
const svgName = 'http://www.w3.org/2000/svg';

/** Computed styles that are copied; everything else is left to attributes. */
const drawnBy = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linejoin',
  'stroke-linecap',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'paint-order',
  'visibility',
] as const;

/**
 * A PNG of the region, in the page's current theme.
 *
 * @throws Error when the browser cannot draw it
 */
export async function pictureOf(region: HTMLElement, words: PictureWords): Promise<Blob> {
  const { svg, width, height } = compose(region, words, await fontFaces());
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser cannot draw a picture');
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return await new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) =>
        blob === null ? reject(new Error('this browser cannot create a PNG')) : resolve(blob),
      'image/png',
    );
  });
}

/**
 * A picture has no access to the page's fonts unless they are embedded. Without them it uses the
 * system's.
 */
async function fontFaces(): Promise<string> {
  try {
    const response = await fetch('/fonts/geist-latin.woff2');
    if (!response.ok) return '';
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('');
    return `@font-face { font-family: "Geist"; font-weight: 100 900; src: url("data:font/woff2;base64,${btoa(text)}") format("woff2"); }`;
  } catch {
    return '';
  }
}

function compose(region: HTMLElement, { title, lines, source }: PictureWords, fonts: string) {
  const box = region.getBoundingClientRect();
  const root = getComputedStyle(document.documentElement);
  const token = (name: string): string => root.getPropertyValue(`--color-${name}`).trim();
  const head = pad + 24 + lines.length * lineHeight + 8;
  const [width, height] = [
    Math.ceil(box.width) + 2 * pad,
    Math.ceil(head + box.height + lineHeight + pad),
  ];
  const svg = document.createElementNS(svgName, 'svg');
  set(svg, {
    xmlns: svgName,
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    'font-family': 'Geist, system-ui, sans-serif',
    style: 'font-variant-numeric: tabular-nums',
  });
  const style = document.createElementNS(svgName, 'style');
  style.textContent = fonts;
  const paper = document.createElementNS(svgName, 'rect');
  set(paper, { width, height, fill: token('surface') });
  svg.append(
    style,
    paper,
    textAt(title, pad, pad + 14, { 'font-size': 16, 'font-weight': 600, fill: token('ink') }),
  );
  lines.forEach((line, index) => {
    svg.append(
      textAt(line, pad, pad + 24 + (index + 1) * lineHeight - 4, {
        'font-size': 12,
        fill: token('ink-2'),
      }),
    );
  });
  const offset = { x: pad - box.left, y: head - box.top };
  for (const drawing of region.querySelectorAll('svg')) {
    if (drawing.parentElement?.closest('svg') == null) svg.append(copyOf(drawing, offset));
  }
  for (const word of wordsIn(region)) {
    svg.append(
      textAt(word.text, word.x + offset.x, word.y + offset.y, {
        'font-size': word.size,
        'font-weight': word.weight,
        fill: word.color,
      }),
    );
  }
  svg.append(textAt(source, pad, height - pad + 4, { 'font-size': 12, fill: token('ink-3') }));
  return { svg: new XMLSerializer().serializeToString(svg), width, height };
}

function set(element: Element, attributes: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

function textAt(
  text: string,
  x: number,
  y: number,
  attributes: Readonly<Record<string, string | number>>,
): SVGTextElement {
  const element = document.createElementNS(svgName, 'text');
  set(element, { x: x.toFixed(1), y: y.toFixed(1), ...attributes });
  element.textContent = text;
  return element;
}

function copyOf(drawing: SVGSVGElement, offset: { readonly x: number; readonly y: number }): Node {
  const copy = drawing.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) return copy;
  const [from, to] = [
    [drawing, ...drawing.querySelectorAll('*')],
    [copy, ...copy.querySelectorAll('*')],
  ];
  from.forEach((element, index) => {
    const target = to[index];
    if (target === undefined) return;
    const computed = getComputedStyle(element);
    for (const name of drawnBy) target.setAttribute(name, computed.getPropertyValue(name));
    target.removeAttribute('class');
    target.removeAttribute('style');
  });
  const { left, top, width, height } = drawing.getBoundingClientRect();
  set(copy, { x: left + offset.x, y: top + offset.y, width, height, overflow: 'visible' });
  return copy;
}

interface Word {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: string;
  readonly weight: string;
  readonly color: string;
}

/** Text next to the drawings, one entry per position, so that lines wrap in the same places. */
function wordsIn(region: HTMLElement): Word[] {
  const words: Word[] = [];
  const walker = document.createTreeWalker(region, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (
      parent === null ||
      parent.closest('svg, .sr-only, .recharts-tooltip-wrapper, [data-unpictured]') !== null
    )
      continue;
    const { fontSize, fontWeight, color } = getComputedStyle(parent);
    const right = parent.closest('.truncate')?.getBoundingClientRect().right ?? Infinity;
    for (const match of (node.textContent ?? '').matchAll(/\S+/g)) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const place = range.getBoundingClientRect();
      if (place.width === 0 || place.left >= right) continue;
      const share = Math.min(1, (right - place.left) / place.width);
      const text =
        share < 1
          ? `${match[0].slice(0, Math.max(0, Math.floor(match[0].length * share) - 1))}…`
          : match[0];
      // The baseline is about a third of the size below the middle of the line.
      const y = place.top + place.height / 2 + Number.parseFloat(fontSize) * 0.34;
      words.push({ text, x: place.left, y, size: fontSize, weight: fontWeight, color });
    }
  }
  return words;
}
