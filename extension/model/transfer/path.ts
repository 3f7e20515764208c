import * as z from 'zod/mini';
import {
  defaultCongestion,
  defaultInitialWindow,
  type Link,
  linkSchema,
  linkUseSchema,
  socketStatisticsSchema,
} from '../network/link.ts';

/** One way between client and origin: the loopback interface, or an emulated link with settings of the origin's TCP. */
export const transferPathSchema = z.object({
  /** `loopback`, or the link with the settings that distinguish it: `20ms,50Mbit/s, initial window 32`. */
  name: z.string(),
  /** null: loopback. */
  link: z.nullable(linkSchema),
  /** Initial congestion window of the origin, segments; null: the kernel's, over loopback. */
  initialWindow: z.nullable(z.number()),
  /** Congestion control of the origin: `cubic`; null: the kernel's. */
  congestion: z.nullable(z.string()),
});
export type TransferPath = z.infer<typeof transferPathSchema>;

/** The paths of a plan: every link with every initial window and congestion control. null among the links: loopback. */
export function transferPaths(
  links: readonly (Link | null)[],
  initialWindows: readonly number[],
  congestions: readonly string[],
): TransferPath[] {
  const loopback = { name: 'loopback', link: null, initialWindow: null, congestion: null };
  return links.flatMap((link): TransferPath[] => {
    if (link === null) return [loopback];
    return initialWindows.flatMap((initialWindow) =>
      congestions.map((congestion) => {
        const window =
          initialWindow === defaultInitialWindow ? '' : `, initial window ${initialWindow}`;
        const control = congestion === defaultCongestion ? '' : `, ${congestion}`;
        return { name: `${link.name}${window}${control}`, link, initialWindow, congestion };
      }),
    );
  });
}

/** What a link did in one launch. */
export const pathProofSchema = z.extend(linkUseSchema, {
  path: z.string(),
  launch: z.number(),
  /** The origin's connection after each batch on an open one, and during some others, with the cell in words. */
  sockets: z.array(
    z.extend(socketStatisticsSchema, { cell: z.string(), responseBytes: z.optional(z.number()) }),
  ),
});
export type PathProof = z.infer<typeof pathProofSchema>;
