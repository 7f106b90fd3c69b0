package com.example.shop;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/** A listener of the application that sends an email after each transaction. */
record SendAtEnd(Shop shop) implements TransactionExecutionListener {

  @Override
  public void afterCommit(TransactionExecution transaction, Throwable failure) {
    shop.send();
  }

  @Override
  public void afterRollback(TransactionExecution transaction, Throwable failure) {
    shop.send();
  }
}
