// npm run pictures [-- NAME ...]: takes the pictures of the docs again, all of them by default.
const known = ['panel', 'trace', 'machines'];
const names = process.argv.slice(2);
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`No picture is called ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  process.exit(2);
}
for (const name of names.length > 0 ? names : known) await import(`./pictures/${name}.ts`);
