import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { type VerdictState, verdictStyles } from './verdict-styles';
import { VerdictIcon, VerdictMark } from './verdict-mark';

const states = Object.keys(verdictStyles) as VerdictState[];
const css = readFileSync(new URL('../globals.css', import.meta.url), 'utf8');
const [lightCss = '', darkCss = ''] = css.split(/\[data-theme=.dark.\]/);

function colour(block: string, token: string): string {
  const match = new RegExp(`--color-${token}: (#[0-9a-f]{6});`).exec(block);
  if (!match?.[1]) throw new Error(`no --color-${token}`);
  return match[1];
}

describe('every state is distinguishable', () => {
  test('in greyscale: shape and glyph alone differ, whatever the colours', () => {
    const drawn = states.map((state) =>
      renderToStaticMarkup(<VerdictIcon state={state} />).replace(/text-\w+/g, ''),
    );
    expect(new Set(drawn).size).toBe(states.length);
    expect(
      new Set(states.map((state) => `${verdictStyles[state].shape} ${verdictStyles[state].glyph}`))
        .size,
    ).toBe(states.length);
  });

  test('by word, in the text colour', () => {
    expect(new Set(states.map((state) => verdictStyles[state].word)).size).toBe(states.length);
    for (const state of states)
      expect(renderToStaticMarkup(<VerdictMark state={state} />)).toMatch(
        /^<span class="text-ink /,
      );
  });
});

type Rgb = readonly [number, number, number];

function linear(hex: string): Rgb {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function times(m: readonly Rgb[], [r, g, b]: Rgb): Rgb {
  const row = (i: number) => {
    const [x, y, z] = m[i] ?? [0, 0, 0];
    return x * r + y * g + z * b;
  };
  return [row(0), row(1), row(2)];
}

/** Ottosson 2020, from linear sRGB; distances ×100. */
function oklab(rgb: Rgb): Rgb {
  const [l, m, s] = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  );
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [Math.cbrt(l), Math.cbrt(m), Math.cbrt(s)],
  );
}

/** Machado, Oliveira and Fernandes 2009, severity 1, on linear sRGB. */
const visions: Record<string, readonly Rgb[]> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function distance(a: string, b: string, vision: readonly Rgb[]): number {
  const seen = (hex: string) => {
    const [r, g, bl] = times(vision, linear(hex));
    const clip = (value: number) => Math.min(1, Math.max(0, value));
    return oklab([clip(r), clip(g), clip(bl)]);
  };
  const [x, y] = [seen(a), seen(b)];
  return 100 * Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

describe.each([
  ['light', lightCss],
  ['dark', darkCss],
])('pass against fail in %s', (_, block) => {
  test.each(Object.entries(visions))('keeps an OKLab distance of 14 in %s', (_name, vision) => {
    expect(distance(colour(block, 'pass'), colour(block, 'fail'), vision)).toBeGreaterThanOrEqual(
      14,
    );
  });
});

test('the scale is right: a usual green and red fall to 4 in deuteranopia', () => {
  expect(distance('#16a34a', '#dc2626', visions.deuteranopia ?? [])).toBeLessThan(9);
});
