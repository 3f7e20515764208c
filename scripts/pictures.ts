// npm run pictures [-- NAME ...]: takes the pictures of the docs again, all of them by default.
const names = process.argv.slice(2);
for (const name of names.length > 0 ? names : ['panel', 'trace', 'machines'])
  await import(`./pictures/${name}.ts`);
