import Link from 'next/link';

interface CountLinkProps {
  count: number;
  /** The counted thing, for screen readers. */
  name: string;
  /** A list of exactly the counted rows. */
  href: string;
  /** The unit of the count, if it does not count the rows of that list. */
  unit?: 'figures';
}

export function CountLink({ count, name, href, unit }: CountLinkProps) {
  const text = count.toLocaleString('en');
  return (
    <Link
      href={href}
      prefetch={false}
      aria-label={`${text}, ${name}`}
      data-counts={count}
      data-unit={unit}
      className="underline"
    >
      {text}
    </Link>
  );
}
