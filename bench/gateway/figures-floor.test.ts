import { describe, expect, it } from 'vitest';
import { figuresAnswer, toolRows } from './answers.mjs';
import { figuresFloor } from './figures-floor';

describe('floor of a buffered turn', () => {
  it('finds each figure of the answer in the rows of the tools, and one that is not there', () => {
    const { choices } = JSON.parse(figuresAnswer().toString()) as {
      choices: { message: { content: string } }[];
    };
    const text = choices[0]?.message.content ?? '';
    const sources = Buffer.from(JSON.stringify(toolRows(2_000)));
    expect(text.match(/is at /g)).toHaveLength(50);
    expect(figuresFloor(sources, text)).toBe(0);
    expect(figuresFloor(sources, `${text} And 123456.789 more.`)).toBe(1);
  });
});
