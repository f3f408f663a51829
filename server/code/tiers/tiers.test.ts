import { describe, expect, test } from 'vitest';
import { processorMsSince } from '../../../testing/processor-time';
import { ModelTier } from '../../domain';
import { readTier, tierLimits } from './index';

const rows: readonly (readonly [string, ModelTier])[] = [
  ['qwen2.5-coder:0.5b', 'tiny'],
  ['smollm2:135m', 'tiny'],
  ['llama3.2:3b', 'tiny'],
  ['starcoder2-3b', 'tiny'],
  ['phi-3.5-mini-instruct', 'small'],
  ['gemma-3-4b-it', 'small'],
  ['deepseek-coder:6.7b', 'small'],
  ['meta-llama/Llama-3.1-8B-Instruct', 'small'],
  ['gemini-1.5-flash-8b', 'small'],
  ['mistral-nemo', 'small'],
  ['DeepSeek-R1-Distill-Qwen-7B', 'small'],
  ['gpt-oss-20b', 'medium'],
  ['phi-4', 'medium'],
  ['qwen2.5-coder:32b-instruct-q4_K_M', 'medium'],
  ['Qwen3-30B-A3B', 'medium'],
  ['codestral-latest', 'medium'],
  ['command-r', 'large'],
  ['mixtral:8x7b', 'large'],
  ['mixtral-8x22b-instruct', 'xlarge'],
  ['llama-3.3-70b-versatile', 'xlarge'],
  ['gpt-oss-120b', 'xlarge'],
  ['deepseek-chat', 'xlarge'],
  ['meta-llama/llama-4-scout-17b-16e-instruct', 'xlarge'],
  ['mistral-large-latest', 'xlarge'],
  ['anthropic/claude-3-haiku', 'xlarge'],
  ['claude-sonnet-4-5', 'xlarge'],
  ['openai/gpt-4o-mini', 'xlarge'],
  ['gpt-4-0613', 'xlarge'],
  ['gpt-5', 'xlarge'],
  ['o3-mini', 'xlarge'],
  ['gemini-2.5-pro', 'xlarge'],
];

describe('QEL-23 the size class of a model', () => {
  test.each(rows)('QEL-25 %s is %s', (model, tier) => {
    expect(readTier(model)).toMatchObject({ tier, assumed: false });
  });

  test.each([
    ['3b', 'tiny'],
    ['3.1b', 'small'],
    ['12.9b', 'small'],
    ['13b', 'medium'],
    ['33b', 'medium'],
    ['34b', 'large'],
    ['69b', 'large'],
    ['70b', 'xlarge'],
  ])('QEL-24 on a bound: %s is %s', (size, tier) => {
    expect(readTier(`model-${size}`).tier).toBe(tier);
  });

  test('QEL-25 eight experts of seven are 56, not 7', () => {
    expect(readTier('mixtral-8x7b-instruct-v0.1.Q4_K_M.gguf')).toEqual({
      tier: 'large',
      billions: 56,
      assumed: false,
    });
  });

  test.each([
    '',
    'my-model',
    'model-q4',
    'model-4bit',
    'model-4.0bpw-exl2',
    'model-w4a16',
    'model-32k',
    'gpt-3.5-turbo',
    'gemini-nano',
  ])('QEL-25 a name without a size is medium, assumed: %s', (model) => {
    expect(readTier(model)).toEqual({ tier: 'medium', billions: null, assumed: true });
  });

  test('QEL-25 no name at all is medium, assumed', () => {
    expect(readTier(null)).toMatchObject({ tier: 'medium', assumed: true });
  });

  test('QEL-23 every class has its threshold and its timeouts, and none passes half of the points', () => {
    expect(ModelTier.options.map((tier) => tierLimits[tier].passThreshold)).toEqual([
      55, 65, 75, 80, 85,
    ]);
    expect(ModelTier.options.map((tier) => tierLimits[tier].compileTimeoutMs / 1000)).toEqual([
      40, 40, 25, 20, 15,
    ]);
    expect(ModelTier.options.map((tier) => tierLimits[tier].testTimeoutMs / 1000)).toEqual([
      180, 180, 120, 90, 60,
    ]);
  });

  test('R-102 a hostile name is read in linear time', () => {
    const began = process.cpuUsage();
    for (const piece of ['1', '9x', 'deepseek-r1', '1.', 'b']) readTier(piece.repeat(100_000));
    expect(processorMsSince(began)).toBeLessThan(200);
  });
});
