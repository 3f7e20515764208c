import type { Commands } from '../commands.ts';

/** The theme of a view. */
export interface Theme {
  isDark: boolean;
}

/** The parts of the panel that a view of a run may use. */
export interface ViewTools extends Theme {
  commands: Commands;
}
