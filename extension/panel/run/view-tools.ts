import type { Commands } from '../commands.ts';

/** How a view is colored. */
export interface Theme {
  isDark: boolean;
}

/** What a view of a run may use of the panel around it. */
export interface ViewTools extends Theme {
  commands: Commands;
}
