import { Testing } from 'cdktf';
