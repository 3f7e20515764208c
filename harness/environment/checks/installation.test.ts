import { testFindings } from '../made-up-machine.ts';
import { container } from './installation.ts';

const release = '/proc/sys/kernel/osrelease';

testFindings([
  [container, { [release]: '6.6.87.2-microsoft-standard-WSL2' }, 'note', /Windows/],
  [container, { [release]: '6.12', '/.dockerenv': '' }, 'note', /^A container \(docker\)$/],
  [container, { [release]: '6.12' }, 'ok', /No sign/],
]);
