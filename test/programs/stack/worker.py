# Takes orders from the queue and writes each into the database.
import os
import socket
import subprocess

queue = socket.socket(socket.AF_UNIX)
queue.connect(os.environ["PGHOST"] + "/redis")
answers = queue.makefile("rb")
psql = os.environ["POSTGRES"] + "/psql"
while True:
    queue.sendall(b"BLPOP orders 0\r\n")
    lines = [answers.readline() for _ in range(5)]
    order = int(lines[4])
    subprocess.run([psql, "-qc", f"insert into orders values ({order})"], check=True)
    print("packed", order, flush=True)
