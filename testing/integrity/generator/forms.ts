/**
 * Sentence forms. `$A` names a record, `$x` a quantity, and `$Ax` is its figure. `@` is "on" or
 * "in", depending on the date of the record. `$H` and `$L` are the records with the highest and
 * lowest value.
 */
export const nameForms: readonly string[] = [
  'The $x of $A is $Ax, while that of $B is $Bx.',
  'The $x is $Ax for $A and $Bx for $B.',
  '$A has a $x of $Ax and a $y of $Ay.',
  '$A has a $x of $Ax and $B has a $x of $Bx.',
  '$A: $x $Ax, $y $Ay. $B: $x $Bx, $y $By.',
  'Here is the $x:\n- $A: $Ax\n- $B: $Bx\n- $C: $Cx',
  '- **$A**: $x $Ax, $y $Ay\n- **$B**: $x $Bx, $y $By',
  'For $A and $B the $x is $Ax and $Bx, respectively.',
  '$A and $B have a $x of $Ax and $Bx, respectively.',
  'At $Ax, the $x of $A differs from that of $B, which is at $Bx.',
  'Compared with $B ($Bx), $A has a $x of $Ax.',
  'In terms of $x, $A has $Ax, $B has $Bx and $C has $Cx.',
  'Looking at $A, the $x is $Ax. The $y is $Ay.',
  'Let us turn to $A. Its $x is $Ax, and its $y is $Ay.',
  '$A shows a $x of $Ax, whereas $B shows one of $Bx.',
  'With a $x of $Ax and a $y of $Ay, $A is worth a look.',
  '| Name | $x | $y |\n| --- | --- | --- |\n| $A | $Ax | $Ay |\n| $B | $Bx | $By |',
  'The $x stands at $Ax in the case of $A; $B is at $Bx and $C at $Cx.',
  '$A ($Ax) and $B ($Bx) are to be compared by $x.',
  'While $A comes to a $x of $Ax, the figure is $Bx for $B.',
  'Both quantities were recorded for $A: a $x of $Ax and a $y of $Ay.',
  '$B reports $Bx as its $x. For $A it is $Ax.',
  'As for the $y, $A is at $Ay. The $x, by contrast, is $Ax.',
];

export const dateForms: readonly string[] = [
  '@A the $x was $Ax, and @B it was $Bx.',
  'The $x was $Ax @A and $Bx @B.',
  'The $x went from $Ax @A to $Bx @B.',
  'Between $A and $B the $x moved from $Ax to $Bx.',
  'The $x was $Ax @A. @B it came to $Bx.',
  '@A, the $x was $Ax. The $y was $Ay.',
  'Take $A: the $x was $Ax. It was accompanied by a $y of $Ay.',
  '$x: $Ax ($A), $Bx ($B), $Cx ($C)',
  'The $x came to $Ax and $Bx @A and @B, respectively.',
  'From $A to $B, the $x changed from $Ax to $Bx, while the $y went from $Ay to $By.',
  'Here is the $x by date:\n- $A: $Ax\n- $B: $Bx\n- $C: $Cx',
  '@A we saw a $x of $Ax and a $y of $Ay; @B it was $Bx and $By.',
  'It was $Ax @A, $Bx @B and $Cx @C in terms of $x.',
  'After a $x of $Ax @A, $Bx was recorded @B.',
  'A $x of $Ax was measured @A, compared with $Bx @B.',
];

export const extremeForms: readonly string[] = [
  'The highest $x is $Hx.',
  'The lowest $x is $Lx.',
  'The $x ranges from $Lx to $Hx.',
  'The $x lies between $Lx and $Hx.',
  'The $x peaked at $Hx.',
  'The maximum $x was $Hx, the minimum $Lx.',
  'The highest $x, $Hx, belongs to $H.',
  '$H has the highest $x at $Hx; $L has the lowest at $Lx.',
  'The largest $x is that of $H ($Hx), the smallest that of $L ($Lx).',
  'With $Hx, $H has the highest $x of all.',
];

/**
 * A change. Depending on its sign, `+A` is "rose by", "was down" …, and `~A` "an increase of", "a
 * drop of" ….
 */
export const changeForms: readonly string[] = [
  'The figure for $A +A $Ax, and the one for $B +B $Bx.',
  '$A +A $Ax while $B +B $Bx.',
  '$A +A $Ax, $B +B $Bx and $C +C $Cx.',
  '$A had ~A $Ax and $B had ~B $Bx.',
  'There was ~A $Ax for $A and ~B $Bx for $B.',
  '- $A: ~A $Ax\n- $B: ~B $Bx\n- $C: ~C $Cx',
];
export const upWords: readonly string[] = [
  'rose by',
  'increased by',
  'grew',
  'was up',
  'gained',
  'climbed by',
  'went up by',
];
export const downWords: readonly string[] = [
  'fell by',
  'decreased by',
  'shrank by',
  'was down',
  'lost',
  'dropped by',
  'went down by',
];
export const upNouns: readonly string[] = ['an increase of', 'a rise of', 'growth of', 'a gain of'];
export const downNouns: readonly string[] = [
  'a decrease of',
  'a drop of',
  'a decline of',
  'a loss of',
];
