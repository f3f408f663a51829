import { z } from 'zod';

/** A JSON path, or the name of a column. */
export const SourcePath = z.string().min(1).max(300);
const Constant = z.strictObject({
  const: z.union([z.string().max(10_000), z.number(), z.boolean()]),
});
/** The path of a value, or a constant for every row. */
export const Value = z.union([SourcePath, Constant]);
export type MappedValue = z.infer<typeof Value>;

export const Words = z.array(z.string().min(1).max(100)).min(1).max(100);

/** An object with keys that the sender chose; refuses `__proto__`, which would be lost. */
export const named = <T extends z.ZodType>(value: T, keyKind: string) =>
  z
    .unknown()
    .superRefine((object, check) => {
      if (typeof object === 'object' && object !== null && Object.hasOwn(object, '__proto__')) {
        check.addIssue({ code: 'custom', message: `must not have ${keyKind} "__proto__"` });
      }
    })
    .pipe(z.record(z.string().min(1).max(200), value));
