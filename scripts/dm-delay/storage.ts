// `cachescope storage` alone.
import { storageCommand } from '@cachescope/harness/commands/storage.ts';

await storageCommand().parseAsync();
