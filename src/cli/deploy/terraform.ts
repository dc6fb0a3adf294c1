#!/usr/bin/env node
// What cdktf runs as Terraform during `secure-connectivity deploy`.
import { readDeployContext } from './run-log.js';
import { wrapTerraform } from './wrap-terraform.js';

const context = readDeployContext(process.env);
if (context === undefined) {
  process.stderr.write('secure-connectivity: this program is run by secure-connectivity deploy\n');
  process.exitCode = 2;
} else {
  process.exitCode = await wrapTerraform(context, process.argv.slice(2));
}
