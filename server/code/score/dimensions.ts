/** Maximum points of each dimension (QEL-13 to QEL-20, QEL-49). */
export const maxPoints = {
  files: 5,
  patterns: 35,
  framework: 15,
  complete: 15,
  proof: 30,
  semantic: 15,
  total: 100,
} as const;

/** Maximum total of code that does not compile: below the threshold of every tier (QEL-20). */
export const compileCap = 50;
